export function LoadingScreen() {
  return <output className="grid min-h-dvh place-items-center text-muted">Loading...</output>
}
