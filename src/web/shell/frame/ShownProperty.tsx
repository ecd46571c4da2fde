import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { spokenProperty } from '../../widgets/PropertyName.tsx'
import { useAddress } from '../../lib/hooks/use-address.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../ui/overlay/toast.ts'
import { CurrentUser, ShowProperty, useCurrentUser } from '../current-user.ts'
import { useProperties } from '../properties.ts'
import { analyticsScreens, listsOfAll } from './kept-params.ts'

/**
 * The property this tab shows: the one in its URL, else the last one it showed, else the selected one. Opening a link selects nothing: it
 * must not change the starting point of other tabs and the next visit. `property=all` leads to the list of all of them, except on screens
 * that list the rows of all.
 */
export function ShownProperty({ children }: { children: ReactNode }) {
  const user = useCurrentUser()
  const properties = useProperties()
  const { pathname } = useLocation()
  const [params, change] = useAddress()
  const asked = params.get('property')
  // Their sum has a screen of its own; most other screens are about one property.
  const isAll = asked === 'all'
  const [followed, setFollowed] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  // While the list of the person's properties is loading, the URL is trusted; the server refuses what isn't theirs.
  const isTheirs = (name: string) =>
    properties.length === 0 ? user.selectedProperty !== null : properties.some((property) => property.name === name)
  if (asked !== followed) {
    setFollowed(asked)
    if (asked !== null && !isAll && isTheirs(asked)) setChosen(asked)
  }
  const shown = chosen !== null && isTheirs(chosen) ? chosen : user.selectedProperty

  const isNamed = analyticsScreens.includes(pathname)
  const isStrange = asked !== null && !isTheirs(asked)
  useEffect(() => {
    // Also where a link, as in an emailed report, named another one.
    if (isAll || asked === shown || (asked === null && !isNamed)) return
    // After the screen's effects, which may write a URL of their own.
    const timer = setTimeout(() => {
      if (isStrange) toast.error('Property Not Found', `${spokenProperty(asked)} is not one of your properties.`)
      change(
        (written) => {
          if (shown === null) written.delete('property')
          else written.set('property', shown)
          return written
        },
        { replace: true, keepsHash: true },
      )
    })
    return () => clearTimeout(timer)
  }, [isAll, isNamed, asked, isStrange, shown, change])

  const show = useCallback(
    (name: string) => {
      setChosen(name)
      // The list of all properties becomes that of this one.
      if (new URLSearchParams(window.location.search).get('property') !== 'all') return
      change((written) => {
        written.set('property', name)
        return written
      })
    },
    [change],
  )
  const showing = useMemo(() => ({ ...user, selectedProperty: shown }), [user, shown])
  if (isAll && pathname !== paths.sites && !listsOfAll.includes(pathname)) return <Navigate to={paths.sites} replace />
  return (
    <CurrentUser value={showing}>
      <ShowProperty value={show}>{children}</ShowProperty>
    </CurrentUser>
  )
}
