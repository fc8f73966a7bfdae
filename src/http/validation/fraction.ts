/** How `ApiProperty` describes a number from 0 to 1; every other number of the API is a whole one. */
export const FRACTION = { type: 'number', format: 'double', minimum: 0, maximum: 1 } as const;
