/** Other names of a coding (RFC 9110, 8.4.1). */
const ALIASES: Record<string, string> = { 'x-gzip': 'gzip' };

/**
 * The content codings that a client accepts, by its `Accept-Encoding` (RFC 9110, 12.5.3), in any order of preference:
 * those of `offered` that the header names, or that its `*` stands for, with a weight above 0.
 */
export function acceptedCodings<Coding extends string>(
  header: string | undefined,
  offered: readonly Coding[],
): Coding[] {
  const weights = new Map<string, number>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim());
    const weight = parameters.find((word) => word.startsWith('q='))?.slice(2);
    weights.set(ALIASES[name] ?? name, weight === undefined ? 1 : Number(weight));
  }
  return offered.filter((coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0);
}
