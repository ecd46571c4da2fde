import { emailConfirmationClaim } from '../../../contract/delivery/channels.ts'

/** The address that a link claims to confirm; null if unreadable, which says nothing about whether it works. */
export function addressOfToken(token: string): string | null {
  try {
    const base64 = token.slice(0, token.indexOf('.')).replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0)
    const claim = emailConfirmationClaim.safeParse(JSON.parse(new TextDecoder().decode(bytes)))
    return claim.success ? claim.data.address : null
  } catch {
    return null
  }
}
