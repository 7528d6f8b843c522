export type DateKind = 'date' | 'datetime'
export const placeholders = { date: 'YYYY-MM-DD', datetime: 'YYYY-MM-DD HH:mm:ss' } as const
