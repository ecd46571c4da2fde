import { paths } from '../paths.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'

/** Shown when a screen throws, or when its code can't be fetched after an update or while the server is away. */
export function RouteError() {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <title>Something went wrong · Ranklark</title>
      <ErrorState
        title="Couldn't show this screen"
        actions={
          <>
            <Button variant="primary" onClick={() => location.reload()}>
              Reload
            </Button>
            <a href={paths.home} className={buttonClass('secondary')}>
              Back to the homepage
            </a>
          </>
        }
      >
        {navigator.onLine ? 'Something went wrong. Try reloading.' : 'You are offline. Check your connection, then reload.'}
      </ErrorState>
    </main>
  )
}
