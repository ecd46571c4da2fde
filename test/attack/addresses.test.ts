import { describe, expect } from 'vitest'
import { typistTest } from './typist.ts'

const test = typistTest()

describe('addresses on the internal network', () => {
  const hosts = [
    'localhost',
    'localhost.',
    'LOCALHOST',
    'a.localhost',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '0',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '2852039166',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::a00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    'metadata.google.internal',
    'metadata.google.internal.',
    'printer.local',
    'router.home.arpa',
    'intranet',
  ]
  test('are not accepted as webhooks, however they are written', async ({ typist: { app, person } }) => {
    for (const host of hosts) {
      const urls = [`https://${host}/hook`, `https://${host}:8443/hook`, `https://example.com@${host}/`, `http://${host}/`]
      const answers = await Promise.all(urls.map((url) => person.send('PUT', '/api/delivery-channels/webhook', { url })))
      expect(answers.map(({ status }, at) => ({ url: urls[at], status }))).toEqual(urls.map((url) => ({ url, status: 400 })))
    }
    for (const url of [
      'file:///etc/passwd',
      'gopher://example.com/',
      'data:text/plain,x',
      'https://example.com:22/',
      'https://a:b@example.com/',
      'https://',
      '//example.com',
    ])
      expect((await person.send('PUT', '/api/delivery-channels/webhook', { url })).status).toBe(400)
    expect(await app.webhook.messages()).toEqual([])
  })

  test('are not accepted as Slack: only its own host is, and only with its own path', async ({ typist: { person } }) => {
    const hook = '/services/T0/B0/x'
    for (const webhookUrl of [
      ...hosts.map((host) => `https://${host}${hook}`),
      `https://hooks.slack.com.evil.example${hook}`,
      `https://hooks.slack.com@evil.example${hook}`,
      `https://evil.example/hooks.slack.com${hook}`,
      `https://hooks.slack.com/../..${hook}x?y`,
      `https://hooks.slack.com\\@evil.example${hook}`,
    ])
      expect((await person.send('PUT', '/api/delivery-channels/slack', { webhookUrl })).status).toBe(400)
  })
})
