import { z } from 'zod'

/** One mailbox and nothing else: what could add a header, a second recipient or a display name is no address to us. */
export const mailAddress = z
  .string()
  .max(254)
  .regex(/^[^\s<>()[\]\\,;:"@\p{Cc}]+@[^\s<>()\\,;"@\p{Cc}]+$/u, 'not an email address')
