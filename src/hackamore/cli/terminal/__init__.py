"""What a person sees and types while a run goes on."""
