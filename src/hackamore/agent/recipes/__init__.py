"""Recipes: tasks for small models, where the program owns the flow and the model only writes.

Everything is done through one seam (`Hands`), so that policy, approvals and events hold.
"""

from hackamore.agent.recipes.answering import ask, explain
from hackamore.agent.recipes.fixing import fix
from hackamore.agent.recipes.generating import generate_tests
from hackamore.agent.recipes.seam import Hands

__all__ = ["Hands", "ask", "explain", "fix", "generate_tests"]
