import type { Migration } from '../migrate.ts'

export const migrations: readonly Migration[] = []
