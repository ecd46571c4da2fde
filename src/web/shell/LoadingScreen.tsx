export function LoadingScreen() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center text-muted">
      Loading...
    </div>
  )
}
