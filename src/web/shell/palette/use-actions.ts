import { ArrowLeftRight, BellPlus, Compass, Keyboard, LifeBuoy, LogOut, MapPin, RefreshCw, SunMoon } from 'lucide-react'
import { shellKeys } from '../../lib/hooks/shortcut-keys.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../current-user.ts'
import { useShellDialogs } from '../frame/shell-dialogs.ts'
import { useProperties, useSelectProperty } from '../properties.ts'
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
  const select = useSelectProperty()
  const refresh = useRefresh()
  const status = useSyncStatus()
  const theme = useTheme()
  const logout = useLogout()

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
  const others = properties.filter(({ name }) => name !== selectedProperty)
  return [
    {
      value: 'Actions',
      items: [
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
    {
      value: 'Switch property',
      items: others.map(({ name }) => ({
        id: `property ${name}`,
        label: name,
        words: 'switch property site',
        icon: ArrowLeftRight,
        isAddress: true,
        choose: { run: () => select.mutate(name) },
      })),
    },
  ]
}
