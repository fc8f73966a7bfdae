/** The forms of uuid and created_at, as the rules have them. */
export { UNIX_TEXT_PATTERN, UUID_PATTERN } from '@signet/verify';
