import { useEffect, useState } from 'react'

/** The time, updated every minute, so that "Today" doesn't outlive the day. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
