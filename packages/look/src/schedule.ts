/** When and how often a platform is asked again: for servers that look at bindings over time. */
export * from './schedule/after-look.js';
export * from './schedule/recheck-outcome.js';
export * from './schedule/recheck-pace.js';
export * from './schedule/recheck-schedule.js';
