import { Dialog } from '@base-ui/react/dialog'
import { clsx } from 'clsx'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { searchedRange } from '../../../contract/search.ts'
import { backdropClass } from '../../ui/overlay/Dialog.tsx'
import { useCurrentUser } from '../current-user.ts'
import { analyticsScreens, carriedTo } from '../frame/carried.ts'
import { useShellDialogs } from '../frame/shell-dialogs.ts'
import type { Entry } from './entries.ts'
import { PaletteList } from './PaletteList.tsx'

/** Finds keywords, pages, metrics, screens and actions (OPEN-POINTS 1). */
export function Palette() {
  const { close, opener, remember } = useShellDialogs()
  const { selectedProperty } = useCurrentUser()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  /** The focus goes elsewhere. */
  const left = useRef(false)

  function choose({ choose: chosen }: Entry) {
    close()
    if ('run' in chosen) {
      chosen.run()
      return
    }
    left.current = true
    if (chosen.recent) remember(chosen.recent)
    // The days on screen stay; a screen without any leads to those of the search.
    const isFound = chosen.recent !== undefined && !analyticsScreens.includes(window.location.pathname)
    void navigate(isFound ? `${chosen.to}&range=${searchedRange}` : carriedTo(chosen.to, window.location))
  }

  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) close()
      }}
    >
      <Dialog.Portal>
        {/* Above popovers too. */}
        <Dialog.Backdrop className={clsx(backdropClass, 'z-25')} />
        <Dialog.Viewport className="fixed inset-0 z-25 flex items-start justify-center overflow-hidden sm:px-4 sm:pt-[max(1rem,12dvh)]">
          <Dialog.Popup
            initialFocus={input}
            finalFocus={() => (left.current ? document.getElementById('content') : opener())}
            aria-label="Search"
            data-keeps-keys
            // A fixed height, so that nothing moves under the pointer.
            className="flex h-dvh w-full flex-col overflow-hidden bg-surface shadow-float sm:h-[min(34rem,76dvh)] sm:max-w-2xl sm:rounded-card sm:border sm:border-line"
          >
            <PaletteList key={selectedProperty} input={input} onChoose={choose} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
