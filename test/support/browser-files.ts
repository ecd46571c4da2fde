import { strToU8, zipSync } from 'fflate'
import { before } from './browser-cards.ts'

export type FileDay = { date: string; clicks: number; impressions: number; position: number }

/** A month of days that rise and fall, each different; `through` is the last one. */
export function daysOfFile(through: string, seed: number): FileDay[] {
  return Array.from({ length: 35 }, (_, index) => ({
    date: before(through, 34 - index),
    clicks: 700 + ((index * 37 + seed) % 211) + index * 11,
    impressions: 21_000 + ((index * 997 + seed) % 4_001),
    position: (70 + ((index * 13 + seed) % 60)) / 10,
  }))
}

/** The file from Search Console's Export button for users whose language is English. */
export function englishExport(days: readonly FileDay[]): Buffer {
  const rows = days.map((day) => `${day.date},${day.clicks},${day.impressions},${rate(day)}%,${day.position}`)
  return zip({
    'Chart.csv': lines('Date,Clicks,Impressions,CTR,Position', ...rows),
    'Queries.csv': lines('Top queries,Clicks,Impressions,CTR,Position', 'oak desk lamp,120,3400,3.53%,4.2'),
    'Pages.csv': lines('Top pages,Clicks,Impressions,CTR,Position', 'https://lamps.example/oak,310,9000,3.44%,5.1'),
    'Filters.csv': lines('Filter,Value', 'Search type,Web', 'Date,Last 28 days'),
  })
}

/** The same for users whose language is German: other names, decimal commas, points in large numbers. */
export function germanExport(days: readonly FileDay[]): Buffer {
  const rows = days.map(
    (day) =>
      `${day.date.split('-').toReversed().join('.')};${day.clicks.toLocaleString('de')};${day.impressions.toLocaleString('de')};${german(rate(day))} %;${german(String(day.position))}`,
  )
  return zip({
    'Diagramm.csv': lines('Datum;Klicks;Impressionen;Klickrate;Position', ...rows),
    'Suchanfragen.csv': lines('Häufigste Suchanfragen;Klicks;Impressionen;CTR;Position', 'lampe eiche;120;3.400;3,53 %;4,2'),
    'Filter.csv': lines('Filter;Wert', 'Suchtyp;Web', 'Datum;Letzte 28 Tage'),
  })
}

const rate = (day: FileDay): string => ((day.clicks / day.impressions) * 100).toFixed(2)
const german = (text: string): string => text.replace('.', ',')
const lines = (...text: string[]): string => `${text.join('\r\n')}\r\n`
const zip = (files: Record<string, string>): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))))
