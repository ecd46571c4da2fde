import {
  Bell,
  BellRing,
  ChartNoAxesCombined,
  CodeXml,
  FileChartColumn,
  FileText,
  Globe,
  History,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Settings,
  Telescope,
  UserRound,
} from 'lucide-react'
import { isScreen } from '../../../contract/screens.ts'

export type NavItem = {
  label: string
  path: string
  icon: LucideIcon
  /** The keys that open it, pressed in sequence. */
  keys?: readonly [string, string]
  /** Its name in the menu on small screens, if different. */
  mobile?: { label?: string; path?: string }
}
export type NavGroup = { label: string; items: readonly NavItem[] }

const everything: readonly NavGroup[] = [
  {
    label: 'Overview',
    items: [
      { label: 'Dashboard', path: '/dashboard', icon: LayoutDashboard, keys: ['g', 'd'], mobile: { path: '/' } },
      { label: 'Sites', path: '/sites', icon: Globe },
    ],
  },
  {
    label: 'Analytics',
    items: [
      { label: 'SEO Insights', path: '/insights', icon: ChartNoAxesCombined, keys: ['g', 'i'] },
      { label: 'Explore', path: '/explore', icon: Telescope, keys: ['g', 'e'] },
      { label: 'Keyword Opportunities', path: '/keyword-opportunities', icon: KeyRound, keys: ['g', 'k'] },
      { label: 'Page Analytics', path: '/page-analytics', icon: FileText, keys: ['g', 'p'] },
      { label: 'Reports', path: '/reports', icon: FileChartColumn },
    ],
  },
  {
    label: 'Alerts',
    items: [
      { label: 'Active Alerts', path: '/alerts', icon: BellRing, keys: ['g', 'a'] },
      { label: 'Alert Settings', path: '/alert-settings', icon: Bell },
      { label: 'Alert History', path: '/alert-history', icon: History, keys: ['g', 'h'] },
    ],
  },
  {
    label: 'Account',
    items: [
      { label: 'Settings', path: '/settings', icon: Settings, keys: ['g', 's'] },
      { label: 'API & Webhooks', path: '/developers', icon: CodeXml },
      { label: 'Profile', path: '/account', icon: UserRound, mobile: { label: 'Account' } },
    ],
  },
]

/** The sidebar's groups: only screens that the router has. */
export const nav: readonly NavGroup[] = everything
  .map(({ label, items }) => ({ label, items: items.filter((item) => isScreen(item.path)) }))
  .filter((group) => group.items.length > 0)

/** The menu on small screens. */
export const mobileNav: readonly NavItem[] = nav.flatMap((group) => group.items.map(asMobile))

function asMobile(item: NavItem): NavItem {
  return { ...item, ...item.mobile }
}
