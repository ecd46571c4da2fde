export type ToastMessage = { id: number; tone: 'success' | 'error'; title: string; description: string | null }

type Listener = () => void

// One message at a time: a new one replaces it.
let current: ToastMessage | null = null
let lastId = 0
const listeners = new Set<Listener>()

function set(message: ToastMessage | null): void {
  current = message
  for (const listener of listeners) listener()
}

function show(tone: ToastMessage['tone'], title: string, description: string | null = null): void {
  lastId += 1
  set({ id: lastId, tone, title, description })
}

/** Shows a message from anywhere in the app; Toaster.tsx renders it. */
export const toast = {
  success: (title: string, description?: string) => show('success', title, description),
  error: (title: string, description?: string) => show('error', title, description),
  dismiss: (id: number) => {
    if (current?.id === id) set(null)
  },
}

export const toastStore = {
  subscribe(listener: Listener): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: () => current,
}
