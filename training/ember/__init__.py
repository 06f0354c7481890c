"""How Ember, the model that ships with the app, is made: data, tokenizer, training, evaluation and export."""
