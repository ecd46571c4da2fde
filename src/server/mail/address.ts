import { z } from 'zod'

/** Exactly one mailbox: anything that could add a header, a second recipient or a display name isn't accepted. */
export const mailAddress = z
  .string()
  .max(254)
  .regex(/^[^\s<>()[\]\\,;:"@\p{Cc}]+@[^\s<>()\\,;"@\p{Cc}]+$/u, 'not an email address')
