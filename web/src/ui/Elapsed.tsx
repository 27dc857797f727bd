import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

/** For how many seconds what it stands beside has been going on; nothing in the first one. */
export function Elapsed() {
  const { t } = useTranslation();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const began = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - began) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);
  // Nobody wants to hear it every second.
  return seconds < 1 ? null : <span aria-hidden="true">{t("run.seconds", { seconds })}</span>;
}
