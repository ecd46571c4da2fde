import { useEffect, useState } from 'react'

/** A value as soon as it has not changed for so many milliseconds. */
export function useSettled<T>(value: T, millis: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), millis)
    return () => clearTimeout(timer)
  }, [value, millis])
  return settled
}
