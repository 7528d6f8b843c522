import { group } from './group.ts'

// demand row 24: all that a filter finds, and what can be done with it
export const bulkTexts = group({
  'chosen.label': ['已选数据', 'Chosen rows'],
  'chosen.page': ['已选 {n} 条', '{n} chosen'],
  'chosen.matching': ['已选符合条件的全部 {n} 条', 'All {n} that match are chosen'],
  'chosen.but': ['已选符合条件的 {n} 条，不含 {except} 条', '{n} that match are chosen, {except} left out'],
  'chosen.all': ['选择符合条件的全部 {n} 条', 'Choose all {n} that match'],
  'chosen.about': ['约 {n}', 'about {n}'],
  'chosen.clear': ['取消选择', 'Choose none'],
  'chosen.export': ['导出所选', 'Export chosen'],
})
