// Whole seconds that are left; counts by the clock, so that a sleeping tab does not fall behind.
import { useEffect, useState } from "react";

export function useCountdown(): readonly [left: number, start: (seconds: number) => void] {
  const [end, setEnd] = useState(0);
  const [now, setNow] = useState(0);
  const left = Math.max(0, Math.ceil((end - now) / 1000));

  useEffect(() => {
    if (left === 0) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [left]);

  return [
    left,
    (seconds) => {
      setNow(Date.now());
      setEnd(Date.now() + seconds * 1000);
    },
  ];
}
