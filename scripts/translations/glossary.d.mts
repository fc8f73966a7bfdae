/** English words, and by language the words of which one stands for them. */
export type Term = Record<'en' | 'zh' | 'ja' | 'ko' | 'de' | 'fr' | 'es' | 'pt', string[]> & {
  otherSense?: string[];
  otherwise?: Record<string, string[]>;
};

export function glossaryOf(store?: string): Record<string, Term>;
export function glossaryProblems(store?: string): string[];
