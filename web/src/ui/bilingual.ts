// Names that come in two languages, as templates have them: `Monthly report / 月报`.
const CHINESE = /[\u3400-\u9fff]/;
const NAME = /^([^\u3400-\u9fff]+) \/ (.*[\u3400-\u9fff].*)$/;
const TEXT = /^([^\u3400-\u9fff]+[.!?])\s+(\S*[\u3400-\u9fff].*)$/s;

/** The part of a name or text that is in the language of the page; all of it where it comes in one language. */
export function inLanguage(text: string, language: string): string {
  if (!CHINESE.test(text)) return text;
  const [, english, chinese] = NAME.exec(text) ?? TEXT.exec(text) ?? [];
  if (!english || !chinese) return text;
  return language.startsWith("zh") ? chinese : english;
}
