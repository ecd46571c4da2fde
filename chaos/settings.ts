import { z } from 'zod'
import { alertConditions } from '../src/contract/alerts/conditions.ts'
import { brandList } from '../src/contract/brand.ts'
import { deliverySettings } from '../src/contract/delivery/delivery.ts'
import { reportBrand } from '../src/contract/reports/reports.ts'
import { insist, type Inhabitant } from './people.ts'

/** Something a user has one of and changes: how to write it, and what its own route returns. */
type Setting = {
  name: string
  /** The `version`th value: different from those shortly before. */
  write(person: Inhabitant, version: number): { method: 'PATCH' | 'PUT'; path: string; body: object; value: string }
  read(person: Inhabitant): Promise<string>
}

const of = ({ site }: Inhabitant): string => `property=${encodeURIComponent(site)}`
const look = z.object({ name: z.string(), color: z.string(), senderName: z.string(), replyTo: z.string().nullable() })
const lookText = (brand: unknown): string => JSON.stringify(look.parse(brand))

export const settings: readonly Setting[] = [
  {
    name: 'digest hour',
    write: (_person, version) => ({
      method: 'PATCH',
      path: '/api/delivery-settings',
      body: { digestHour: version % 24 },
      value: String(version % 24),
    }),
    read: async (person) => String(deliverySettings.parse(await insist(person, 'GET', '/api/delivery-settings')).digestHour),
  },
  {
    name: 'threshold',
    write({ ruleId }, version) {
      // Any of these finds a page that lost four fifths.
      const threshold = 10 + (version % 40)
      return { method: 'PATCH', path: `/api/alert-conditions/${ruleId}`, body: { threshold }, value: String(threshold) }
    },
    async read(person) {
      const rules = alertConditions.parse(await insist(person, 'GET', `/api/alert-conditions?${of(person)}`))
      return String(rules.find(({ id }) => id === person.ruleId)?.threshold)
    },
  },
  {
    name: 'brand',
    write: (person, version) => ({
      method: 'PUT',
      path: `/api/brand?${of(person)}`,
      body: { terms: [`brand ${version}`] },
      value: `brand ${version}`,
    }),
    read: async (person) => brandList.parse(await insist(person, 'GET', `/api/brand?${of(person)}`)).terms.join(),
  },
  {
    name: 'look of reports',
    write({ name, account }, version) {
      const color = `#${(version % 0x1000000).toString(16).padStart(6, '0')}`
      const body = { name: `look ${version}`, color, senderName: `${name} ${version}`, replyTo: version % 2 === 0 ? account : null }
      return { method: 'PUT', path: '/api/report-brand', body, value: lookText(body) }
    },
    async read(person) {
      const { brand } = reportBrand.parse(await insist(person, 'GET', '/api/report-brand'))
      return brand === null ? 'none' : lookText(brand)
    },
  },
]
