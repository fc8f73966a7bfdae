/** A sentence, or one for each plural form. */
export type Text = string | Record<string, string>;

export declare const STORE: string;
export function languagesOf(store?: string): string[];
export function textsOf(language: string, store?: string): Map<string, Text>;
export function formsOf(text: Text): string[];
export function staleTexts(store?: string): { language: string; key: string; english: Text; text?: Text }[];
export function acceptTexts(names: string[], store?: string): number;
