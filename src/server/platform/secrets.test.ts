import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../../../test/support/platform.ts'
import { createVault, deriveKey, loadSecretKeys, storeSecretKeys, VaultError } from './secrets.ts'

const KEY = 'a-key-of-more-than-thirty-two-characters'

describe('the secret key', () => {
  test('is created once, readable only by its owner, and reused', async () => {
    const dataDir = path.join(temporaryDirectory('key'), 'new')
    const [key, ...before] = await loadSecretKeys({ dataDir })
    expect(before).toEqual([])
    expect(key.length).toBeGreaterThanOrEqual(32)
    expect(statSync(path.join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(await loadSecretKeys({ dataDir })).toEqual([key])
  })

  test('is the same for all processes that start together, with no draft left', async () => {
    const dataDir = temporaryDirectory('keys')
    const keys = (await Promise.all(Array.from({ length: 20 }, () => loadSecretKeys({ dataDir })))).flat()
    expect(new Set(keys)).toEqual(new Set([readFileSync(path.join(dataDir, 'secret.key'), 'utf8').trim()]))
    expect(readdirSync(dataDir)).toEqual(['secret.key'])
  })

  test('from the configuration takes precedence', async () => {
    expect(await loadSecretKeys({ secretKey: KEY, dataDir: '/nowhere' })).toEqual([KEY])
  })

  test('that is too short is refused without being shown', async () => {
    const dataDir = temporaryDirectory('short')
    writeFileSync(path.join(dataDir, 'secret.key'), 'too-short\n')
    await expect(loadSecretKeys({ dataDir })).rejects.toThrow(/secret\.key must hold at least 32 characters, but has 9$/)
  })
})

describe('the vault', () => {
  const vault = createVault(KEY)

  test.each(['', 'token', '😀 \0 \n', 'x'.repeat(100_000)])('opens what it sealed', (plain) => {
    expect(vault.open(vault.seal(plain, 'user:1'), 'user:1')).toBe(plain)
  })

  test('seals the same text differently each time', () => {
    expect(vault.seal('token', 'user:1')).not.toBe(vault.seal('token', 'user:1'))
  })

  test("doesn't open with another context, key or a changed text", () => {
    const sealed = vault.seal('token', 'user:1')
    expect(() => vault.open(sealed, 'user:2')).toThrow(VaultError)
    expect(() => createVault(`${KEY}!`).open(sealed, 'user:1')).toThrow(VaultError)
    const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA')
    expect(() => vault.open(changed, 'user:1')).toThrow(VaultError)
    expect(() => vault.open('token', 'user:1')).toThrow('Not a sealed value of this version')
    expect(() => vault.open(sealed.replace('v2.', 'v3.'), 'user:1')).toThrow('Not a sealed value of this version')
    expect(() => vault.open(sealed.replace('v2.', 'v1.'), 'user:1')).toThrow('Not a sealed value of this version')
    expect(vault.find(changed, 'user:1')).toBeNull()
  })
})

describe('a vault with several keys', () => {
  const next = `${KEY}-and-the-next`
  const old = createVault(KEY)
  const both = createVault(next, KEY)

  test('opens what each of them sealed, and seals with the newest only', () => {
    expect(both.open(old.seal('token', 'a'), 'a')).toBe('token')
    const sealed = both.seal('token', 'a')
    expect(sealed.startsWith(both.mark)).toBe(true)
    expect(createVault(next).open(sealed, 'a')).toBe('token')
    expect(() => old.open(sealed, 'a')).toThrow(VaultError)
  })

  test('opens what was sealed before keys had marks', () => {
    const unmarked = `v1.${old.seal('token', 'a').split('.')[2]}`
    expect(both.open(unmarked, 'a')).toBe('token')
    expect(() => createVault(next).open(unmarked, 'a')).toThrow(VaultError)
  })

  test('has its keys in a file, newest first', async () => {
    const dataDir = temporaryDirectory('two-keys')
    await storeSecretKeys(dataDir, [next, KEY])
    expect(await loadSecretKeys({ dataDir })).toEqual([next, KEY])
    expect(statSync(path.join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(readdirSync(dataDir)).toEqual(['secret.key'])
  })
})

test("keys for different purposes differ, for the same purpose they don't", () => {
  expect(deriveKey(KEY, 'a')).toHaveLength(32)
  expect(deriveKey(KEY, 'a')).toEqual(deriveKey(KEY, 'a'))
  expect(deriveKey(KEY, 'a')).not.toEqual(deriveKey(KEY, 'b'))
})
