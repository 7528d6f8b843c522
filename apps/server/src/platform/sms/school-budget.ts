import type { Settings } from '../settings/settings.ts'
import type { Budget } from '../limits/budgets.ts'

/** Messages of a school in a day, of every kind. @param most its own limit; the server's holds as well */
export function buildSchoolBudget(
  { smsDailyBudget }: Pick<Settings, 'smsDailyBudget'>,
  tenant: string,
  most: number,
): Budget {
  return {
    key: `smsTenant:${tenant}`,
    window: 86_400_000,
    most: Math.min(most, smsDailyBudget),
  }
}
