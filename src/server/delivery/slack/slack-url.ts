import type { Config } from '../../config.ts'
import { Refusal } from '../../common/errors.ts'

const field = 'webhookUrl'
const hookPath = /^\/services\/(T[A-Z0-9]+)\/(B[A-Z0-9]+)\/([A-Za-z0-9]+)$/

/**
 * An incoming webhook's URL, to be requested only at this installation's Slack.
 * @throws Refusal 400 for anything but an incoming webhook there
 */
export function checkedSlackUrl({ url: slack }: Config['slack'], typed: string): string {
  const home = new URL(slack)
  const start = `${slack}/services/`
  const trimmed = typed.trim()
  if (!URL.canParse(trimmed)) throw refusal(`Paste the full URL of an incoming webhook. It starts with ${start}`)
  const url = new URL(trimmed)
  if (url.host !== home.host) throw refusal(`Only Slack URLs work here. An incoming webhook URL starts with ${start}`)
  if (url.protocol !== home.protocol) throw refusal(`The URL must start with ${home.protocol}//`)
  const path = url.pathname.startsWith(basePath(home)) ? url.pathname.slice(basePath(home).length) : ''
  if (/^\/(workflows|triggers)\//.test(path))
    throw refusal(`This is a workflow URL. Create an incoming webhook in Slack and paste its URL. It starts with ${start}`)
  const parts = hookPath.exec(path)
  if (parts === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw refusal(`This isn't an incoming webhook URL, which looks like ${start}T…/B…/…`)
  return slack + parts[0]
}

/** The part of the URL that may be shown: `hooks.slack.com/…/x3Kd`. */
export function shownSlackUrl(address: string): string {
  const { host, pathname } = new URL(address)
  const token = pathname.slice(pathname.lastIndexOf('/') + 1)
  // Four characters of a short token would be too many.
  return `${host}/…/${token.slice(token.length - Math.min(4, Math.floor(token.length / 4)))}`
}

const basePath = ({ pathname }: URL): string => pathname.replace(/(?<!\/)\/+$/, '')
const refusal = (message: string): Refusal => new Refusal(400, message, field)
