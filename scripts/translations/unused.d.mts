export function unusedTexts(store?: string): string[];
