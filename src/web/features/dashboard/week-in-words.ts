/** A week's clicks compared with the week before. */
type WeekOfClicks = {
  now: number
  /** Null if not every day of it is stored. */
  before: number | null
  /** Percent of the week before; ignored without a base. */
  change: number
  /** Whether Google counted clicks the same way in both weeks. */
  comparable: boolean
}

/** Clicks of one device in the same two weeks. */
export type WeekOfDevice = { name: string; now: number; before: number }

export type Week = {
  clicks: WeekOfClicks
  /** Empty if unknown for exactly these days. */
  devices: readonly WeekOfDevice[]
  /** Null if unknown. */
  openAlerts: number | null
}

/** What happened in a week, in one sentence of plain English. It says nothing that the figures don't. */
export function weekInWords({ clicks, devices, openAlerts }: Week): string {
  const alerts = openAlerts === null ? '' : `; ${alertsInWords(openAlerts)}`
  return `${clicksInWords(clicks, devices)}${alerts}.`
}

function clicksInWords(clicks: WeekOfClicks, devices: readonly WeekOfDevice[]): string {
  const { now, before, change, comparable } = clicks
  if (!comparable) return `${counted(now)} in the last 7 days, which Google counted differently from the week before`
  if (before === null) return `${counted(now)} in the last 7 days`
  if (before === 0) return now === 0 ? 'No clicks in the last two weeks' : `${counted(now)} in the last 7 days, after none the week before`
  if (now === 0) return `No clicks in the last 7 days, after ${whole(before)} the week before`
  const percent = Math.abs(change).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  if (percent === '0.0') return 'Clicks were flat compared with the week before'
  const mostly = mainDevice(devices, now - before)
  return `Clicks ${change > 0 ? 'rose' : 'fell'} ${percent}% from the week before${mostly === null ? '' : `, mostly on ${mostly.toLowerCase()}`}`
}

/** The share of a change from which on it happened mostly on one device. */
const mostOf = 0.6

/** The device with most of a change; null if no one device has, or if there is only one. */
function mainDevice(devices: readonly WeekOfDevice[], change: number): string | null {
  if (devices.length < 2) return null
  return devices.find(({ now, before }) => (now - before) / change >= mostOf)?.name ?? null
}

function alertsInWords(count: number): string {
  if (count === 0) return 'no alerts are open'
  return count === 1 ? '1 alert is open' : `${whole(count)} alerts are open`
}

const counted = (clicks: number): string => (clicks === 0 ? 'No clicks' : clicks === 1 ? '1 click' : `${whole(clicks)} clicks`)

const whole = (count: number): string => count.toLocaleString('en-US', { maximumFractionDigits: 0 })
