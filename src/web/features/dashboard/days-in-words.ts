import { hasPosition, type SearchType } from '../../../contract/common.ts'
import { typeLabels } from '../../../core/analytics/exploration.ts'
import type { NamesOfDays } from './names-of-days.ts'

/** The clicks of some days compared with those of others. */
type ComparedClicks = {
  now: number
  /** Null if not every day of it is stored, or nothing is compared. */
  before: number | null
  /** Percent of the days before; ignored without a base. */
  change: number
  /** Whether Google counted clicks the same way on both. */
  comparable: boolean
}

/** Clicks of one device on the same days. */
export type DeviceClicks = { name: string; now: number; before: number }

export type ShownFigures = {
  names: NamesOfDays
  type: SearchType
  clicks: ComparedClicks
  /** Empty if unknown for exactly these days. */
  devices: readonly DeviceClicks[]
  /** Null if unknown. */
  openAlerts: number | null
}

/** What happened on the days shown, in one sentence of plain English. It says nothing that the figures don't. */
export function daysInWords({ names, type, clicks, devices, openAlerts }: ShownFigures): string {
  const alerts = openAlerts === null ? '' : `; ${alertsInWords(openAlerts)}`
  return `${clicksInWords(names, type, clicks, devices)}${alerts}.`
}

function clicksInWords(names: NamesOfDays, type: SearchType, clicks: ComparedClicks, devices: readonly DeviceClicks[]): string {
  const { now, before, change, comparable } = clicks
  const of = ofType(type)
  const counted = (count: number): string => (count === 0 ? `No ${of}clicks` : count === 1 ? `1 ${of}click` : `${whole(count)} ${of}clicks`)
  const all = `${of}clicks`.replace(/^./, (first) => first.toUpperCase())
  if (!comparable) return `${counted(now)} ${names.now}, not comparable with ${names.before} because Google counted differently`
  if (before === null) return `${counted(now)} ${names.now}`
  if (before === 0) return now === 0 ? `No ${of}clicks ${names.both}` : `${counted(now)} ${names.now}, after none ${names.earlier}`
  if (now === 0) return `No ${of}clicks ${names.now}, after ${whole(before)} ${names.earlier}`
  const percent = Math.abs(change).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  if (percent === '0.0') return `${all} were flat compared with ${names.before}`
  const mostly = mainDevice(devices, now - before)
  return `${all} ${change > 0 ? 'rose' : 'fell'} ${percent}% from ${names.before}${mostly === null ? '' : `, mostly on ${mostly.toLowerCase()}`}`
}

/** The share of a change from which on it happened mostly on one device. */
const mostOf = 0.6

/** The device with most of a change; null if no one device has, or if there is only one. */
function mainDevice(devices: readonly DeviceClicks[], change: number): string | null {
  if (devices.length < 2) return null
  return devices.find(({ now, before }) => (now - before) / change >= mostOf)?.name ?? null
}

function alertsInWords(count: number): string {
  if (count === 0) return 'no alerts are open'
  return count === 1 ? '1 alert is open' : `${whole(count)} alerts are open`
}

/** In front of *clicks*: `image `, `Discover `; nothing for web search. */
function ofType(type: SearchType): string {
  if (type === 'web') return ''
  return `${hasPosition(type) ? typeLabels[type].toLowerCase() : typeLabels[type]} `
}

const whole = (count: number): string => count.toLocaleString('en-US', { maximumFractionDigits: 0 })
