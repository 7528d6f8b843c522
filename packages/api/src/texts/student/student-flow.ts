import { group } from '../group.ts'

// docs/spec/2-student-service-and-designer.md §4, §5
export const studentFlowTexts = group({
  'studentFlow.required': ['不能为空', 'Cannot be empty'],
  'studentFlow.mobile': ['请输入正确的手机号', 'Please enter a correct phone number'],
  'studentFlow.registered': ['注册成功', 'Registration succeeded'],
})
