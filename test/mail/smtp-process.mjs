// A mail server as a process of its own: says its port, then every message it took as a line of JSON. Its first argument
// is how many messages it refuses for now before it takes one. Addresses at refused.example are refused for good; it never
// says anything about those below hanging.example.
import { SMTPServer } from "smtp-server";

let refusals = Number(process.argv[2] ?? 0);

const server = new SMTPServer({
  authOptional: true,
  closeTimeout: 100,
  disabledCommands: ["STARTTLS", "AUTH"],
  onRcptTo: (address, _session, done) => {
    if (address.address.endsWith("@refused.example")) {
      done(Object.assign(new Error("no such mailbox"), { responseCode: 550 }));
    } else if (!address.address.endsWith("hanging.example")) done();
  },
  onData: (stream, session, done) => {
    const chunks = [];
    stream.on("data", (chunk) => chunks.push(chunk));
    stream.on("end", () => {
      if (refusals > 0) {
        refusals -= 1;
        done(Object.assign(new Error("try again later"), { responseCode: 451 }));
        return;
      }
      const to = session.envelope.rcptTo.map((recipient) => recipient.address);
      process.stdout.write(`${JSON.stringify({ to, raw: Buffer.concat(chunks).toString("utf8") })}\n`);
      done();
    });
  },
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${JSON.stringify({ port: server.server.address().port })}\n`);
});
process.on("SIGTERM", () => server.close(() => process.exit(0)));
