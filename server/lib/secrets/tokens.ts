// Access tokens (signed, short-lived) and opaque secrets (kept as digests only).
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";

export const ACCESS_TOKEN_SECONDS = 3600;
const ISSUER = "dossier";

export interface AccessTokenClaims {
  readonly userId: string;
  readonly organizationId: string;
  readonly sessionId: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

export interface TokenSigner {
  sign(claims: Omit<AccessTokenClaims, "expires">): Promise<string>;
  /** Undefined for anything that we did not sign or that has run out. */
  verify(token: string): Promise<AccessTokenClaims | undefined>;
  /** The refresh token that takes the place of `token` for whoever renews it under `key`: the same one each time. */
  successor(token: SecretToken, key: string): string;
}

export function tokenSigner(secret: string): TokenSigner {
  const key = createHash("sha256").update(secret).digest();
  return {
    sign: ({ userId, organizationId, sessionId }) =>
      new SignJWT({ user_id: userId, org: organizationId, sid: sessionId })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setIssuer(ISSUER)
        .setSubject(userId)
        .setIssuedAt()
        .setNotBefore("0s")
        .setExpirationTime(`${ACCESS_TOKEN_SECONDS}s`)
        .sign(key),
    verify: async (token) => {
      try {
        const { payload } = await jwtVerify(token, key, { issuer: ISSUER, algorithms: ["HS256"], clockTolerance: 5 });
        const { sub, org, sid, exp } = payload;
        if (typeof sub !== "string" || typeof org !== "string" || typeof sid !== "string" || exp === undefined)
          return undefined;
        return { userId: sub, organizationId: org, sessionId: sid, expires: exp };
      } catch {
        return undefined;
      }
    },
    successor: ({ prefix, organizationId, subject, secret: spent }, retryKey) => {
      const own = createHmac("sha256", key).update(`successor\0${spent}\0${retryKey}`).digest("base64url");
      return `${prefix}_${organizationId}_${subject}_${own}`;
    },
  };
}

export const digest = (secret: string): string => createHash("sha256").update(secret).digest("hex");

export function sameDigest(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

/** Secrets name their organization and row, so that looking one up needs no table across organizations. */
export interface SecretToken {
  readonly prefix: "dk" | "dr" | "dt" | "df";
  readonly organizationId: string;
  readonly subject: string;
  readonly secret: string;
}

export function newSecret(prefix: SecretToken["prefix"], organizationId: string, subject: string): string {
  return `${prefix}_${organizationId}_${subject}_${randomBytes(32).toString("base64url")}`;
}

export function parseSecret(token: string): SecretToken | undefined {
  const parts = /^(dk|dr|dt|df)_(\d{1,18})_([0-9a-f-]{1,36})_([A-Za-z0-9_-]{43})$/.exec(token);
  if (!parts) return undefined;
  const [, prefix, organizationId = "", subject = "", secret = ""] = parts;
  // The pattern admits these alone.
  return { prefix: prefix as SecretToken["prefix"], organizationId, subject, secret };
}
