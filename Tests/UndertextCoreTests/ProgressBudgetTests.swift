import Testing
import UndertextCore

@Suite struct ProgressBudgetTests {
    @Test func allWhoWaitShareIt() {
        let budget = ProgressBudget(limit: .seconds(30))
        budget.begin(at: .seconds(100))
        budget.begin(at: .seconds(104))
        #expect(budget.left(at: .seconds(110)) == .seconds(20))
        budget.end(at: .seconds(112))
        budget.end(at: .seconds(115))
        // Nobody waits.
        #expect(budget.left(at: .seconds(120)) == .seconds(15))
        budget.begin(at: .seconds(120))
        #expect(budget.left(at: .seconds(140)) == .seconds(-5))
        budget.end(at: .seconds(140))
        #expect(budget.left(at: .seconds(141)) == .seconds(-5))
    }

    @Test func progressResetsIt() {
        let budget = ProgressBudget(limit: .seconds(30))
        budget.begin(at: .seconds(0))
        budget.begin(at: .seconds(0))
        budget.progress(at: .seconds(29))
        budget.end(at: .seconds(29))
        #expect(budget.left(at: .seconds(31)) == .seconds(28))
        budget.end(at: .seconds(50))
        #expect(budget.left(at: .seconds(50)) == .seconds(9))
        // A later request also uses it.
        #expect(budget.left(at: .seconds(79)) == .seconds(9))
        #expect(budget.left(at: .seconds(80)) == .seconds(30))
        budget.begin(at: .seconds(90))
        #expect(budget.left(at: .seconds(91)) == .seconds(29))
    }
}
