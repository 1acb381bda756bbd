// The way in: keeps what was typed when it fails, says why in words, asks for a code where the account wants one, and goes on
// to where one wanted to go.
import { Anchor, Button, Stack, TextInput, VisuallyHidden } from "@mantine/core";
import { Link, useSearch } from "@tanstack/react-router";
import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { CodeField } from "../../parts/controls/code-field.tsx";
import { PasswordField } from "../../parts/controls/password-field.tsx";
import { AuthFrame } from "../../parts/layout/auth-frame.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { session } from "../../session/session.ts";
import classes from "./login-screen.module.css";
import { useCapsLock } from "./use-caps-lock.ts";
import { useCountdown } from "./use-countdown.ts";

type Refusal = { readonly kind: "failed" | "throttled" | "unreachable"; readonly text: string };

export function LoginScreen() {
  const { t } = useTranslation();
  const { end } = useSearch({ from: "/login" });
  const [userName, setUserName] = useState("");
  const [password, setPassword] = useState("");
  /** Undefined until the service asks for one. */
  const [code, setCode] = useState<string>();
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [wait, startWait] = useCountdown();
  const caps = useCapsLock();
  const userNameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);
  usePageTitle(t("login.title"));

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setAsked(true);
    if (userName.trim() === "") return userNameInput.current?.focus();
    if (password === "") return passwordInput.current?.focus();
    if (code?.trim() === "") return codeInput.current?.focus();
    if (busy || wait > 0) return;
    setBusy(true);
    setRefusal(undefined);
    try {
      await session.enter(userName.trim(), password, code?.trim());
    } catch (error) {
      setBusy(false);
      if (error instanceof WireFailure && error.code === "otp_required") {
        setAsked(false);
        return setCode("");
      }
      const wrongCode = code !== undefined && error instanceof WireFailure && error.code === "login_failed";
      setRefusal(
        wrongCode ? { kind: "failed", text: t("login.code_wrong") } : refusalOf(error, t("login.unreachable")),
      );
      if (error instanceof WireFailure && error.status === 429) startWait(error.retryAfter ?? 30);
      else (codeInput.current ?? passwordInput.current)?.select();
    }
  }

  /** Another name or password. */
  function again(): void {
    setCode(undefined);
    setRefusal(undefined);
  }

  const throttled = refusal?.kind === "throttled" && wait > 0;
  const plain = refusal !== undefined && refusal.kind !== "throttled" ? refusal : undefined;
  return (
    <AuthFrame title={t("brand")} lead={t("login.lead")}>
      <form onSubmit={submit} noValidate aria-label={t("login.title")}>
        <Stack gap="md">
          {refusal === undefined && end !== undefined && <Notice tone="news">{t(`login.${end}`)}</Notice>}
          {plain && (
            <Notice tone="bad" title={t("login.failed")}>
              {plain.text}
            </Notice>
          )}
          {throttled && (
            <Notice tone="wait" title={t("login.throttled")}>
              {/* Counts for the eye only: read out once, not every second. */}
              <span aria-hidden="true">{t("login.throttled_wait", { count: wait })}</span>
              <VisuallyHidden>{refusal.text}</VisuallyHidden>
            </Notice>
          )}
          {code === undefined ? (
            <>
              <TextInput
                ref={userNameInput}
                label={t("login.user_name")}
                size="md"
                name="username"
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                autoFocus
                dir="auto"
                value={userName}
                onChange={(event) => setUserName(event.currentTarget.value)}
                error={asked && userName.trim() === "" ? t("login.missing_user_name") : undefined}
              />
              <PasswordField
                ref={passwordInput}
                label={t("login.password")}
                size="md"
                name="password"
                autoComplete="current-password"
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
                onKeyDown={caps.notice}
                onKeyUp={caps.notice}
                error={asked && password === "" ? t("login.missing_password") : undefined}
                description={caps.on ? t("login.caps_lock") : undefined}
                inputWrapperOrder={["label", "input", "description", "error"]}
              />
            </>
          ) : (
            <CodeField
              ref={codeInput}
              size="md"
              autoFocus
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              error={asked && code.trim() === "" ? t("login.missing_code") : undefined}
            />
          )}
          <Button type="submit" size="md" fullWidth loading={busy} disabled={throttled}>
            {t("login.submit")}
          </Button>
          {code === undefined ? (
            <div className={classes.further}>
              <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/access_controls/users/signup" />}>
                {t("login.signup")}
              </Anchor>
              <Anchor
                size="sm"
                renderRoot={(props) => <Link {...props} to="/access_controls/users/activate_forgotten_password" />}
              >
                {t("login.forgotten")}
              </Anchor>
            </div>
          ) : (
            <Button variant="subtle" color="gray" onClick={again}>
              {t("login.back")}
            </Button>
          )}
        </Stack>
      </form>
    </AuthFrame>
  );
}

function refusalOf(error: unknown, unreachable: string): Refusal {
  if (!(error instanceof WireFailure)) return { kind: "unreachable", text: unreachable };
  return { kind: error.status === 429 ? "throttled" : "failed", text: error.message };
}
