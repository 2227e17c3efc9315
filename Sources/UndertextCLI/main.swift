print("undertext")
