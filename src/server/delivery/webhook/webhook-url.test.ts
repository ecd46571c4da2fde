import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../config.ts'
import { Refusal } from '../../common/errors.ts'
import { checkedWebhookUrl, shownWebhookUrl } from './webhook-url.ts'

const strict = parseConfig({}).webhooks
const named = parseConfig({ WEBHOOK_PRIVATE_HOSTS: 'n8n.internal:5678,10.0.0.7:443' }).webhooks

test.each([
  ['https://example.com/hook?token=1', 'https://example.com/hook?token=1'],
  [' HTTPS://Example.COM:443/a/../hook#part\n', 'https://example.com/hook'],
  ['https://example.com:8443/', 'https://example.com:8443/'],
  ['https://1.1.1.1/hook', 'https://1.1.1.1/hook'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
])('%s', (typed, url) => expect(checkedWebhookUrl(strict, typed)).toBe(url))

describe('refused URLs', () => {
  const refusalOf = (typed: string, config = strict): Refusal => {
    try {
      checkedWebhookUrl(config, typed)
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
    throw new Error(`${typed} was taken`)
  }

  test.each([
    ['example.com/hook', 'Enter the full URL'],
    ['', 'Enter the full URL'],
    ['http://example.com/hook', 'must start with https://, so that'],
    ['ftp://example.com/', 'must start with https://'],
    ['javascript:alert(1)', 'must start with https://'],
    ['https://ada:secret@example.com/', 'Remove the username and password'],
    ['https://example.com:25/', 'port must be 443'],
    ['https://example.com:80/', 'port must be 443'],
    ['https://localhost/', 'private network'],
    ['https://localhost:3000/', 'private network'],
    ['https://box.local/', 'private network'],
    ['https://metadata.google.internal./', 'private network'],
    ['https://intranet/', 'private network'],
    ['https://127.0.0.1/', 'private network'],
    ['https://2130706433/', 'private network'],
    ['https://0x7f.1/', 'private network'],
    ['https://169.254.169.254/latest/meta-data', 'private network'],
    ['https://[::1]/', 'private network'],
    ['https://[::ffff:10.0.0.1]/', 'private network'],
    ['https://[fd00::1]/', 'private network'],
    ['http://n8n.internal:5678/', 'must start with https://'],
  ])('%s: %s', (typed, message) => {
    expect(refusalOf(typed)).toMatchObject({ status: 400, field: 'url', message: expect.stringContaining(message) })
  })

  test("hosts allowed by the operator aren't refused", () => {
    expect(checkedWebhookUrl(named, 'http://n8n.internal:5678/webhook/1')).toBe('http://n8n.internal:5678/webhook/1')
    expect(checkedWebhookUrl(named, 'https://10.0.0.7/hook')).toBe('https://10.0.0.7/hook')
    expect(refusalOf('https://10.0.0.8/hook', named).message).toContain('private network')
    expect(refusalOf('http://n8n.internal/', named).message).toContain('https://')
    expect(refusalOf('http://ada:x@n8n.internal:5678/', named).message).toContain('Remove the username')
  })
})

test("the part after the host isn't shown", () => {
  expect(shownWebhookUrl('https://example.com/hook/s3cret?token=1')).toBe('https://example.com/…')
  expect(shownWebhookUrl('https://example.com:8443/')).toBe('https://example.com:8443')
  expect(shownWebhookUrl('https://example.com/?token=1')).toBe('https://example.com/…')
})
