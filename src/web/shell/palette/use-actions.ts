import { useQuery } from '@tanstack/react-query'
import {
  ArrowLeftRight,
  BellPlus,
  CalendarRange,
  CheckCheck,
  Compass,
  Keyboard,
  LifeBuoy,
  LogOut,
  MapPin,
  RefreshCw,
  SunMoon,
} from 'lucide-react'
import { useLocation } from 'react-router'
import { historyRanges } from '../../../contract/history.ts'
import { domainOf, propertyName } from '../../../core/accounts/property-name.ts'
import { alertsQuery, useOpenCount } from '../../api/alerts.ts'
import { formatCount } from '../../lib/format.ts'
import { shellKeys } from '../../lib/hooks/shortcut-keys.ts'
import { useAddress } from '../../lib/hooks/use-address.ts'
import { paths } from '../../paths.ts'
import { rangeLabels } from '../../widgets/analytics/period-view.ts'
import { useAlertActions } from '../../widgets/use-alert-actions.ts'
import { useCurrentUser } from '../current-user.ts'
import { analyticsScreens } from '../frame/kept-params.ts'
import { useShellDialogs } from '../frame/shell-dialogs.ts'
import { useIsOfAll, useProperties, useSelectProperty } from '../properties.ts'
import { useRefresh, useSyncStatus } from '../sync.ts'
import { saveTheme, themeNames, themes, useTheme } from '../theme.ts'
import { useLogout } from '../use-logout.ts'
import { resetWelcome } from '../welcome/welcome.ts'
import type { Entry, EntryGroup } from './entries.ts'
import { helpPage } from './places.ts'

/** Actions available on every screen. */
export function useActions(): EntryGroup[] {
  const { selectedProperty } = useCurrentUser()
  const { show } = useShellDialogs()
  const properties = useProperties()
  const isOfAll = useIsOfAll()
  const select = useSelectProperty()
  const refresh = useRefresh()
  const status = useSyncStatus()
  const theme = useTheme()
  const logout = useLogout()

  const acknowledging = useAcknowledging(selectedProperty)
  const ranges = useRanges()

  const ofProperty: Entry[] =
    selectedProperty === null
      ? [
          {
            id: 'select',
            label: 'Select a property',
            words: 'switch choose site',
            icon: MapPin,
            choose: { to: paths.selectSites },
          },
        ]
      : [
          ...(status?.state === 'imported'
            ? []
            : [
                {
                  id: 'refresh',
                  label: 'Refresh data',
                  words: 'sync reload update',
                  icon: RefreshCw,
                  choose: { run: () => refresh.mutate(selectedProperty) },
                },
              ]),
          {
            id: 'new alert',
            label: 'New alert rule',
            words: 'create add condition',
            icon: BellPlus,
            choose: { run: () => show('new-alert') },
          },
        ]
  const others = properties.filter(({ name }) => isOfAll || name !== selectedProperty)
  return [
    {
      value: 'Actions',
      items: [
        ...acknowledging,
        ...ofProperty,
        ...themes
          .filter((each) => each !== theme)
          .map((each) => ({
            id: `theme ${each}`,
            label: `Switch theme to ${themeNames[each].toLowerCase()}`,
            words: 'color colour appearance mode',
            icon: SunMoon,
            choose: { run: () => saveTheme(each) },
          })),
        {
          id: 'shortcuts',
          label: 'Show keyboard shortcuts',
          words: 'keys help',
          icon: Keyboard,
          keys: [shellKeys.help],
          choose: { run: () => show('shortcuts') },
        },
        {
          id: 'tour',
          label: 'Show the welcome tour again',
          words: 'help introduction onboarding',
          icon: Compass,
          choose: { run: resetWelcome },
        },
        helpPage,
        {
          id: 'contact',
          label: 'Contact support',
          words: 'help write question problem',
          icon: LifeBuoy,
          choose: { to: paths.contact },
        },
        { id: 'log out', label: 'Log out', words: 'sign logout leave', icon: LogOut, choose: { run: () => logout.mutate() } },
      ],
    },
    ...(selectedProperty === null ? [] : [{ value: 'Time range', items: ranges }]),
    {
      value: 'Switch property',
      items: others.map(({ name }) => ({
        id: `property ${name}`,
        label: propertyName(name),
        words: `switch property site ${name}`,
        ...(domainOf(name) !== null && { note: 'domain' }),
        icon: ArrowLeftRight,
        isAddress: true,
        choose: { run: () => select.mutate(name) },
      })),
    },
  ]
}

/** Acknowledges the property's open alerts, if any. */
function useAcknowledging(property: string | null): Entry[] {
  const { acknowledge } = useAlertActions()
  const { data } = useQuery({ ...alertsQuery(property ?? '', { state: 'open' }), enabled: property !== null })
  const isAll = useOpenCount(property ?? '', data) === data?.length
  const ids = data?.flatMap(({ id, state }) => (state === 'firing' ? id : [])) ?? []
  if (property === null || ids.length === 0) return []
  return [
    {
      id: 'acknowledge',
      label:
        ids.length === 1
          ? `Acknowledge the ${isAll ? '' : 'latest '}open alert`
          : `Acknowledge ${isAll ? 'all' : 'the latest'} ${formatCount(ids.length)} open alerts`,
      words: 'incident incidents handled seen done',
      icon: CheckCheck,
      choose: { run: () => acknowledge(ids) },
    },
  ]
}

/** The days of this screen, or of the dashboard if this one has none. */
function useRanges(): Entry[] {
  const { pathname } = useLocation()
  const [, changeAddress] = useAddress()
  const isHere = analyticsScreens.includes(pathname)
  return historyRanges.map((range) => ({
    id: `range ${range}`,
    label: rangeLabels[range],
    words: 'time range period dates days months history',
    icon: CalendarRange,
    ...(!isHere && { note: 'Dashboard' }),
    choose: isHere
      ? {
          run: () =>
            changeAddress((query) => {
              query.set('range', range)
              // The old form of the same.
              query.delete('days')
              return query
            }),
        }
      : { to: `${paths.dashboard}?range=${range}` },
  }))
}
