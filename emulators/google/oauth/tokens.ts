import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { StateFile } from '../../lib/state-file.ts'

/** Google drops the oldest refresh token of an account once a client has more than this. */
const MAX_REFRESH_TOKENS = 100

const savedSchema = z.object({
  consents: z.record(z.string(), z.array(z.string())),
  refresh: z.array(z.object({ token: z.string(), account: z.string(), scopes: z.array(z.string()), dead: z.boolean() })),
})

export interface Code {
  readonly account: string
  readonly scopes: readonly string[]
  readonly redirectUri: string
  readonly challenge: string | null
  readonly plainChallenge: boolean
  readonly offline: boolean
  readonly nonce: string | null
  readonly expiresAt: number
}

export interface AccessToken {
  readonly account: string
  readonly scopes: readonly string[]
  expiresAt: number
}

export interface RefreshToken {
  readonly account: string
  readonly scopes: readonly string[]
  dead: boolean
}

function random(prefix: string, bytes: number): string {
  return prefix + randomBytes(bytes).toString('base64url')
}

/** Codes, tokens and consents. Consents and refresh tokens are saved; the others are short-lived anyway. */
export class TokenStore {
  readonly #file: StateFile
  readonly #anchor: string
  readonly #consents = new Map<string, readonly string[]>()
  readonly #codes = new Map<string, Code>()
  readonly #access = new Map<string, AccessToken>()
  readonly #refresh = new Map<string, RefreshToken>()

  constructor(file: StateFile, saved: unknown, anchor: string) {
    this.#file = file
    this.#anchor = anchor
    const parsed = savedSchema.safeParse(saved)
    if (!parsed.success) return
    for (const [account, scopes] of Object.entries(parsed.data.consents)) this.#consents.set(account, scopes)
    for (const { token, ...rest } of parsed.data.refresh) this.#refresh.set(token, rest)
  }

  /** Scopes the account has agreed to so far. */
  consentOf(account: string): readonly string[] {
    return this.#consents.get(account) ?? []
  }

  agree(account: string, scopes: readonly string[]): void {
    this.#consents.set(account, [...new Set([...this.consentOf(account), ...scopes])])
    this.save()
  }

  issueCode(code: Code): string {
    const text = random('4/0A', 40)
    this.#codes.set(text, code)
    return text
  }

  /** Takes a code; a second attempt finds nothing. */
  takeCode(text: string): Code | undefined {
    const code = this.#codes.get(text)
    this.#codes.delete(text)
    return code
  }

  issueAccess(account: string, scopes: readonly string[], expiresAt: number): string {
    const token = random('ya29.a0', 90)
    if (this.#access.size > 5_000) this.#access.clear()
    this.#access.set(token, { account, scopes, expiresAt })
    return token
  }

  issueRefresh(account: string, scopes: readonly string[]): string {
    const token = random('1//0', 48)
    this.#refresh.set(token, { account, scopes, dead: false })
    const alive = [...this.#refresh.values()].filter((each) => each.account === account && !each.dead)
    for (const old of alive.slice(0, Math.max(0, alive.length - MAX_REFRESH_TOKENS))) old.dead = true
    this.save()
    return token
  }

  access(token: string): AccessToken | undefined {
    return this.#access.get(token)
  }

  refresh(token: string): RefreshToken | undefined {
    return this.#refresh.get(token)
  }

  /** Ends access tokens immediately, of one account or all; a refresh still gets new ones. */
  expireAccess(account: string | null): number {
    let ended = 0
    for (const [token, each] of this.#access) {
      if (account !== null && each.account !== account) continue
      this.#access.delete(token)
      ended += 1
    }
    return ended
  }

  /** Ends refresh tokens: the next refresh answers invalid_grant. */
  killRefresh(account: string | null): number {
    let ended = 0
    for (const each of this.#refresh.values()) {
      if ((account !== null && each.account !== account) || each.dead) continue
      each.dead = true
      ended += 1
    }
    this.save()
    return ended
  }

  /** As when users revoke access in their Google account, or by /revoke: ends everything of the account, including the consent. */
  revoke(account: string | null): void {
    this.expireAccess(account)
    this.killRefresh(account)
    if (account === null) this.#consents.clear()
    else this.#consents.delete(account)
    this.save()
  }

  /** How many tokens of each kind are alive. */
  counts(): { access: number; refresh: number } {
    return { access: this.#access.size, refresh: [...this.#refresh.values()].filter((each) => !each.dead).length }
  }

  clear(): void {
    this.#codes.clear()
    this.#access.clear()
    this.#refresh.clear()
    this.#consents.clear()
    this.save()
  }

  save(): void {
    this.#file.save({
      anchor: this.#anchor,
      consents: Object.fromEntries(this.#consents),
      refresh: [...this.#refresh].map(([token, { account, scopes, dead }]) => ({ token, account, scopes, dead })),
    })
  }
}
