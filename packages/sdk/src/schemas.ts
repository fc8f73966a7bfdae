import type { components } from './api-types.js';

/** The schemas of the OpenAPI document of the service that this package uses, by name. */
export type Schemas = components['schemas'];
