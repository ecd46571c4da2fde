import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import type { TestApp } from '../support/app.ts'
import { confirmAddress, registered } from '../support/people.ts'
import { typistTest } from './typist.ts'

// Counts the work of the product's own hashing.
const test = typistTest({ realPasswords: true })

describe('whether there is an account', () => {
  /** How often passwords are hashed meanwhile, which is by far the largest part of a login. */
  async function hashesDuring(act: () => Promise<unknown>): Promise<number> {
    const { scrypt } = crypto
    let count = 0
    const counting = ((...all: Parameters<typeof scrypt>) => {
      count += 1
      return scrypt(...all)
    }) as typeof scrypt
    crypto.scrypt = counting
    syncBuiltinESMExports()
    try {
      await act()
      return count
    } finally {
      crypto.scrypt = scrypt
      syncBuiltinESMExports()
    }
  }
  const post = (app: TestApp, place: string, body: object) => app.visitor().send('POST', place, body)

  test("doesn't show in the work that a login takes", { tags: ['full'] }, async ({ typist: { app } }) => {
    const { sql } = await app.stores()
    await registered(app, 'claims')
    await sql(
      `INSERT INTO users (id, name, username, email, email_verified, created_at, updated_at) VALUES ('no-password', 'g', 'googler', 'g@example.test', true, now(), now())`,
    )
    const answers: unknown[] = []
    for (const username of ['typist', 'nobody-of-this-name', 'googler', 'claims@example.test', 'g@example.test', 'nobody@example.test']) {
      const hashes = await hashesDuring(async () => {
        const { status, body } = await post(app, '/api/auth/login', { username, password: 'not-the-password' })
        answers.push({ status, body })
      })
      expect({ username, hashes }).toEqual({ username, hashes: 1 })
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    // The counter works: it counts a correct login, too.
    expect(await hashesDuring(() => post(app, '/api/auth/login', { username: 'typist', password: 'a-good-password' }))).toBe(1)
  })

  test("doesn't show when registering with somebody's address", async ({ typist: { app } }) => {
    const made: unknown[] = []
    for (const [username, email] of [
      ['newcomer1', 'typist@example.test'],
      ['newcomer2', 'nobody-yet@example.test'],
    ]) {
      const hashes = await hashesDuring(async () => {
        const { status, body } = await post(app, '/api/auth/register', { username, email, password: 'a-good-password' })
        made.push({ status, keys: Object.keys(z.object({ user: z.looseObject({}) }).parse(body).user).toSorted() })
      })
      expect(hashes).toBe(1)
    }
    expect(made[0]).toEqual(made[1])
  })

  test("doesn't show in what is stored when an address is claimed", async ({ typist: { app } }) => {
    const owner = await registered(app, 'confirmed')
    await confirmAddress(app, owner, 'confirmed@example.test')
    const claimer = await registered(app, 'claimer')
    const { sql } = await app.stores()
    const stored = async () =>
      sql(`SELECT (SELECT count(*) FROM verifications) AS tokens, (SELECT count(*) FROM jobs.job WHERE name LIKE 'mail%') AS mails`)
    const added = []
    for (const email of ['confirmed@example.test', 'nobody-has-this@example.test']) {
      const before = z.object({ tokens: z.number(), mails: z.number() }).parse((await stored())[0])
      expect((await claimer.send('PATCH', '/api/user', { email })).status).toBe(200)
      const after = z.object({ tokens: z.number(), mails: z.number() }).parse((await stored())[0])
      added.push([after.tokens - before.tokens, after.mails - before.mails])
    }
    expect(added).toEqual([
      [1, 1],
      [1, 1],
    ])
  })

  test("doesn't show when requesting a new password", async ({ typist: { app } }) => {
    const answers: unknown[] = []
    for (const email of ['typist@example.test', 'nobody-at-all@example.test']) {
      const hashes = await hashesDuring(async () => {
        const { status, body, headers } = await post(app, '/api/auth/forgot-password', { email })
        answers.push({ status, body, length: headers.get('content-length'), cookies: headers.getSetCookie() })
      })
      expect(hashes).toBe(0)
    }
    expect(answers[0]).toEqual(answers[1])
  })
})
