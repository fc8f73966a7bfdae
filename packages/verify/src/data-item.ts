/** Data items of permanent storage (ANS-104): whether what a gateway serves under an id is what was signed. */
export type { DataItemFields, DataItemHead, DataItemTag, ReportedDataItem } from './signatures/data-item.js';
export { verifyDataItem } from './signatures/data-item.js';
export type { Step, StepName, StepState, Verification } from './steps.js';
