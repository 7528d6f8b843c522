import { group } from './group.ts'

export const cliTexts = group({
})
