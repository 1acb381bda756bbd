// Takes a piece of work; gives how many milliseconds of processor time this process spent on it. Other work on the machine
// does not count.
export async function processorTime(work: () => unknown): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}
