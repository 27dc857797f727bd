import i18n from "i18next";
import { initReactI18next } from "react-i18next";
import english from "./en.json";
import zh from "./zh.json";

export type Language = "zh" | "en";
/** What one language says the other says too. */
const en: typeof zh = english;
const KEPT = "language";

export const kept = (name: string): string | null => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};
export const keep = (name: string, value: string | null): void => {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // A private window keeps nothing.
  }
};

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof zh };
  }
}

const first = (): Language => {
  const chosen = kept(KEPT);
  if (chosen === "zh" || chosen === "en") return chosen;
  return navigator.language.startsWith("zh") ? "zh" : "en";
};

i18n.use(initReactI18next).init({
  resources: { zh: { translation: zh }, en: { translation: en } },
  lng: first(),
  fallbackLng: "en",
  interpolation: { escapeValue: false },
  initAsync: false,
});

const said = (language: string) => {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
};
said(i18n.language);
i18n.on("languageChanged", said);

export function speak(language: Language): void {
  keep(KEPT, language);
  i18n.changeLanguage(language);
}

export default i18n;
