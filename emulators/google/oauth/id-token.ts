import { createSign, generateKeyPairSync } from 'node:crypto'
import type { Account } from '../accounts.ts'

const KEY_ID = 'stand-in-1'

/** Signs id tokens and publishes the key to verify them, like /oauth2/v3/certs. */
export interface IdTokenSigner {
  sign(account: Account, clientId: string, nonce: string | null, nowMs: number): string
  certs(): { keys: unknown[] }
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** A signer; its keys change with every start of the process, as Google's do every few days. */
export function createSigner(): IdTokenSigner {
  return {
    sign: (account, clientId, nonce, nowMs) => {
      const now = Math.floor(nowMs / 1000)
      const claims = {
        iss: 'https://accounts.google.com',
        azp: clientId,
        aud: clientId,
        sub: account.sub,
        email: account.email,
        email_verified: true,
        ...(account.hostedDomain === null ? {} : { hd: account.hostedDomain }),
        name: account.name,
        ...(nonce === null ? {} : { nonce }),
        iat: now,
        exp: now + 3600,
      }
      const text = `${part({ alg: 'RS256', kid: KEY_ID, typ: 'JWT' })}.${part(claims)}`
      return `${text}.${createSign('RSA-SHA256').update(text).sign(keys().privateKey).toString('base64url')}`
    },
    certs: () => ({ keys: [{ ...keys().publicKey.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig', alg: 'RS256' }] }),
  }
}

let pair: ReturnType<typeof newPair> | undefined
/** Finding two primes takes a tenth of a second: done once for all stand-ins of a process. */
const keys = () => (pair ??= newPair())

function newPair() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}
