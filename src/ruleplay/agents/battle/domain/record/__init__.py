"""Records a battle's messages, one module for each group; the chronicle combines them."""
