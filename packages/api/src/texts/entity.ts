import { group } from './group.ts'

// docs/spec/1-entity-console.md §4, §8; docs/spec/2-student-service-and-designer.md §2
export const entityTexts = group({
  'list.noSelection': ['未选择数据', 'No data selected'],
  'list.confirmDelete': ['确认删除？', 'Confirm delete?'],
  'list.deleted': ['删除成功（{count} 条）', 'Deleted ({count})'],
  'list.exported': ['导出完成', 'Export complete'],
  'form.added': ['新增成功', 'Added successfully'],
  'form.modified': ['修改成功', 'Modified successfully'],
  'form.leave': ['内容尚未保存，确定离开吗？', 'Your changes are not saved. Leave anyway?'],
  'form.invalid': ['请检查标出的字段', 'Please check the marked fields'],
})
